"""What is wrong with a CoNLL-U file is told with line, sentence and cause, all of it."""

from __future__ import annotations

from random import Random

import pytest
from dependency_programs import Outcome, run_ud
from treelens.dropin.ud import pieces


def sentence(*rows: str, name: str = "") -> str:
    """Rows are ``id form head``, and a relation, a lemma and DEPS if they matter."""
    lines = [f"# sent_id = {name}"] if name else []
    for row in rows:
        index, form, head, *more = row.split(" ")
        relation, lemma, deps = [*more, *["dep", "_", "_"][len(more) :]]
        lines.append(f"{index}\t{form}\t{lemma}\tX\tx\t_\t{head}\t{relation}\t{deps}\t_")
    return "\n".join([*lines, "", ""])


GOOD = sentence("1 The 2 det", "2 dog 3 nsubj", "3 ran 0 root", name="good")


def told(system: str, gold: str = GOOD, *options: str, program: str = "conll18") -> Outcome:
    return run_ud(program, [*options, "gold", "system"], {"gold": gold, "system": system})


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("2\tdog", "4\tdog", "3: sentence good: the word has the number 4; 2 was expected"),
        ("2\tdog", "x\tdog", "3: sentence good: the identifier of a word is 'x'; 2 was expected"),
        ("2\tdog", "1-x\tdog", "'1-x' is no multiword token's identifier"),
        ("\tdog\t", "\t \t", "3: sentence good: the FORM is empty"),
        ("\t3\tnsubj", "\tthree\tnsubj", "the HEAD is 'three', which is no number"),
        ("\t3\tnsubj", "\t7\tnsubj", "the HEAD is 7, but the sentence has the words 1 to 3"),
        ("\t3\tnsubj", "\t-1\tnsubj", "the HEAD is -1, but the sentence has"),
        ("\t3\tnsubj", "\t0\tnsubj", "only one word may have the HEAD 0; 2, 3 do"),
        ("\t3\tnsubj", "\t1\tnsubj", "the words 1, 2 are heads of one another in a circle"),
        ("\t0\troot", "\t3\troot", "the word 3 is its own head"),
        ("2\tdog\t_", "2 dog _", "3: sentence good: the line does not have 10 columns"),
        ("2\tdog\t_", "# a comment\n2\tdog\t_", "a comment can only stand before"),
        ("root\t_\t_\n\n", "root\t_\t_\n", "4: sentence good: the file does not end with a blank"),
        ("root\t_\t_\n\n", "root\t_\t_\n\n\n", "6: sentence 2: the sentence has no words"),
        ("1\tThe", "1-9\tThe", "words of the last multiword token are missing"),
    ],
)
def test_each_fault_has_its_message(before: str, after: str, message: str) -> None:
    done = told(GOOD.replace(before, after))
    assert (done.exit_status, done.out) == (1, b"")
    assert message in done.err.decode()


def test_all_faults_are_told_at_once_and_in_both_files() -> None:
    bad = sentence("1 The 9", "2 dog x", name="one") + sentence("1 a 1", name="two")
    lines = told(bad, bad).err.decode().splitlines()
    assert [line.split(":")[:3] for line in lines] == [
        ["gold", "3", " sentence one"],
        ["gold", "6", " sentence two"],
        ["system", "3", " sentence one"],
        ["system", "6", " sentence two"],
    ]


def test_the_list_is_bounded() -> None:
    bad = sentence("1 a 1") * 80
    lines = told(bad, GOOD).err.decode().splitlines()
    assert len(lines) < 60
    assert lines[50] == "system: and 30 more problems"


def test_texts_that_differ_are_told_where_and_how() -> None:
    done = told(GOOD.replace("dog", "cat"))
    assert done.exit_status == 1
    assert done.err.decode() == (
        "gold:2: sentence good: after 'The' the text differs: 'dogran' here,"
        " 'catran' in system:2: sentence good\n"
    )


def test_the_rest_is_scored_on_request() -> None:
    other = sentence("1 it 2 nsubj", "2 rains 0 root", name="other")
    faulty = other.replace("\t2\tnsubj", "\t9\tnsubj")
    alone = told(GOOD, GOOD, "-c")
    done = told(GOOD + faulty, GOOD + other, "-c", "--score-anyway")
    assert (done.exit_status, done.out) == (0, alone.out)
    assert b"1 of 2 sentences of gold, 1 of 2 of system" in done.err
    done = told(GOOD + other.replace("rains", "pours"), GOOD + other, "-c", "--score-anyway")
    assert done.out == alone.out


@pytest.mark.parametrize("options", [["-c"], ["-c", "--score-anyway"]])
def test_faulty_files_are_read_in_pieces(
    monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    """What is told of them, and the scores of the rest, do not depend on the pieces."""
    golds = [
        sentence(f"1 some{number} 2", f"2 of-the-words{number} 0", f"3 that-there-are{number} 2")
        for number in range(900)
    ]
    systems = [
        ""
        if number % 90 == 7
        else one.replace("some", "few")
        if number % 90 == 31
        else one.replace("\t0\t", "\t9\t")
        if number % 90 == 55
        else one.replace("\tdep\t", "\tobj\t", 1)
        if number % 5 == 2
        else one
        for number, one in enumerate(golds)
    ]
    monkeypatch.setattr(pieces, "_AROUND", 1 << 10)
    done = []
    for size in (1 << 12, 1 << 14, 1 << 30):
        monkeypatch.setattr(pieces, "_SIZE", size)
        done.append(told("".join(systems), "".join(golds), *options))
    assert done[0].err.count(b"the text differs") == 20
    assert done[0].err.count(b"the HEAD is 9") == 10
    assert done[0] == done[1] == done[2]


def test_what_belongs_together_does_not_depend_on_the_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of sentences that are there many times, and long stretches that one side lacks."""
    chance = Random(7)
    texts = [
        [f"{number} w{chance.randrange(9)} {number - 1}" for number in range(1, words)]
        for words in range(2, 12)
    ]
    every = [sentence(*chance.choice(texts)) for _ in range(4_000)]
    gold, system = "".join(every[:300] + every[900:]), "".join(every[:1_000] + every[3_000:])
    monkeypatch.setattr(pieces, "_AROUND", 1 << 10)
    done = []
    for size in (1 << 11, 1 << 14, 1 << 30):
        monkeypatch.setattr(pieces, "_SIZE", size)
        done.append(told(system, gold, "-c", "--score-anyway"))
    assert b"scored without this: 1" in done[0].err
    assert done[0] == done[1] == done[2]


def test_a_byte_that_is_no_text_is_told_by_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    text = GOOD.replace("The", "Thé").encode()
    for size in (1, 2, 3, 1 << 18):
        monkeypatch.setattr(pieces, "_READ", size)
        for place, line in ((text.index(b"\xa9"), 2), (len(text), 6)):
            bad = text[:place] + b"\xc3" + text[place:]
            done = run_ud("conll18", ["gold", "system"], {"gold": bad, "system": text})
            at = place if line == 6 else place - 1
            assert done.err == b"gold:%d: byte %d is not UTF-8\n" % (line, at)


def test_what_is_left_keeps_sentences_that_were_cut_differently() -> None:
    one = sentence("1 a 0", "2 b 1") + sentence("1 c 0")
    other = sentence("1 a 0") + sentence("1 b 2", "2 c 0")
    faulty = sentence("1 z 7")
    done = told(other + faulty, one + faulty, "--score-anyway", "-c")
    assert done.out == told(other, one, "-c").out


def test_empty_nodes_are_skipped_also_inside_multiword_tokens() -> None:
    plain = ("1-2 ab _", "1 a 0", "2 b 1", "3 c 1")
    empty = ("0.1 e _", "1-2 ab _", "1 a 0", "1.1 e _", "2 b 1", "3 c 1", "3.1 e _")
    for program in ("conll18", "udeval"):
        done = told(sentence(*empty), sentence(*plain), "-c", program=program)
        assert done.out == told(sentence(*plain), sentence(*plain), "-c", program=program).out
    done = told(sentence(*empty), sentence(*plain), "--no-empty-nodes=1", program="udeval")
    assert done.err.decode().count("there is an empty node") == 3
    done = told(sentence(*empty), sentence(*plain), "--no-empty-nodes", "yes", program="udeval")
    assert done.err.decode().count("there is an empty node") == 3
    done = told(sentence(*empty), sentence(*plain), "--no-empty-nodes=", program="udeval")
    assert done.exit_status == 0


@pytest.mark.parametrize("option", ["--no-empty-nodes", "--enhancements"])
def test_another_option_is_no_value(option: str) -> None:
    plain = sentence("1 a 0")
    done = told(plain, plain, option, "-v", program="udeval")
    assert done.exit_status == 2
    assert f"{option} needs a value" in done.err.decode()
    assert told(plain, plain, option, "-1", program="udeval").exit_status == 0


def test_enhanced_scores_can_be_left_out() -> None:
    plain = sentence("1 a 0", "2 b 1")
    for form in ("", "-v", "-c"):
        options = [form] if form else []
        whole = told(plain, plain, *options, program="udeval").out.decode().splitlines()
        basic = told(plain, plain, *options, "--no-enhanced", program="udeval").out.decode()
        assert basic.splitlines() == [one for one in whole if not one.startswith(("ELAS", "EULAS"))]
        assert len(whole) == len(basic.splitlines()) + 2


def test_several_roots_are_a_fault_unless_they_are_allowed() -> None:
    many = sentence("1 a 0", "2 b 0")
    assert told(many, many, program="udeval").exit_status == 1
    assert told(many, many, "--multiple-roots-okay", program="udeval").exit_status == 0


def test_files_that_cannot_be_read() -> None:
    done = run_ud("conll18", ["none", "gold"], {"gold": GOOD})
    assert done == (1, b"", b"none: cannot be read: No such file\n")


@pytest.mark.parametrize("wrong", [["gold"], ["-x", "gold", "gold"], ["--nope", "gold", "gold"]])
def test_a_wrong_command_line(wrong: list[str]) -> None:
    done = run_ud("conll18", wrong, {"gold": GOOD})
    assert (done.exit_status, done.out) == (2, b"")
    assert done.err.startswith(b"usage: treelens conll18")


def test_options_may_be_joined_and_shortened() -> None:
    assert told(GOOD, GOOD, "-vc").out == told(GOOD, GOOD, "--verb", "--count").out
    assert run_ud("udeval", ["--help"], {}).out.startswith(b"usage: treelens udeval")
