"""The Penn Treebank's lists: categories, function tags, part-of-speech tags.

Source: Bies et al. 1995, *Bracketing Guidelines for Treebank II Style*, and Santorini 1990,
*Part-of-Speech Tagging Guidelines*; with what the LDC's later treebanks of English added (NML,
JJP, EDITED and others; AFX, HYPH, NFP, ADD, GW, XX).
"""

from __future__ import annotations

from treelens.rules.universal import names

CATEGORIES = names("""
    S SBAR SBARQ SINV SQ ADJP ADVP CONJP FRAG INTJ LST NAC NP NX PP PRN PRT QP RRC UCP VP WHADJP
    WHADVP WHNP WHPP X NML JJP EDITED EMBED META TYPO CAPTION HEADER CODE TOP ROOT S1 VROOT
    """)

FUNCTIONS = names("""
    ADV NOM DTV LGS PRD PUT SBJ TPC VOC BNF DIR EXT LOC MNR PRP TMP CLR CLF HLN TTL UNF IMP ETC
    SEZ
    """)

TAGS = names("""
    CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB
    VBD VBG VBN VBP VBZ WDT WP WP$ WRB # $ . , : `` '' -LRB- -RRB- -LCB- -RCB- -LSB- -RSB- -NONE-
    AFX HYPH NFP ADD GW XX
    """)
