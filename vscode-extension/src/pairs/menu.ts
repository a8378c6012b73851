// What a click on the score offers.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { isOn } from '../settings';
import { shownEditor, type StatusBar } from './statusBar';

export async function showMenu(status: StatusBar): Promise<void> {
  const editor = shownEditor();
  const pair = status.pairOf(editor);
  const entries: [string, string][] = [
    ['$(compare-changes) Compare with…', 'compareWith'],
    ['$(git-commit) Compare with last commit', 'compareWithLastCommit'],
    ['$(law) Adjudicate…', 'adjudicateWith'],
    ['$(checklist) Check whole corpus', 'checkWholeCorpus'],
    ['$(output) Show log', 'showLog'],
    ['$(debug-restart) Restart server', 'restartServer'],
  ];
  if (pair !== undefined) {
    entries.unshift(
      ['$(arrow-down) Next mismatch', 'goToNextMismatch'],
      ['$(arrow-up) Previous mismatch', 'goToPreviousMismatch'],
      ['$(arrow-swap) Show counterpart', 'goToCounterpart'],
      ['$(split-horizontal) Open pair side by side', 'openPairSideBySide'],
    );
    entries.push(
      ['$(diff-added) Mark what is new since…', 'markNewSince'],
      isOn('strict')
        ? ['$(eye-closed) Hide differences that F1 and LAS do not count', 'hideUncounted']
        : ['$(eye) Show differences that F1 and LAS do not count', 'showUncounted'],
      isOn('onlyThisSentence', false)
        ? ['$(list-flat) Mark all sentences', 'markAllSentences']
        : ['$(target) Mark only the sentence at the cursor', 'markOnlyThisSentence'],
      ['$(close) Unpair', 'unpairFile'],
    );
  }
  if (status.isAdjudicated(editor)) {
    entries.unshift(
      ['$(arrow-left) Take the first annotator’s here', 'takeFirstHere'],
      ['$(arrow-right) Take the second annotator’s here', 'takeSecondHere'],
      ['$(check) Keep this sentence as it is', 'keepHere'],
    );
  }
  const picked = await vscode.window.showQuickPick(
    entries.map(([label, command]) => ({ label, command })),
    { placeHolder: pair === undefined ? 'Treelens' : summary(pair) },
  );
  if (picked !== undefined) await vscode.commands.executeCommand(`treelens.${picked.command}`);
}

function summary(pair: {
  gold: string;
  system: string;
  score: string;
  sentences: number;
  mismatches: number;
}): string {
  const name = (uri: string): string => path.posix.basename(vscode.Uri.parse(uri).path);
  const count = pair.mismatches === 1 ? '1 mismatch' : `${pair.mismatches} mismatches`;
  const score = pair.sentences === 0 ? pair.score : `${pair.score}, ${count}`;
  return `${name(pair.gold)} ↔ ${name(pair.system)}: ${score}`;
}
