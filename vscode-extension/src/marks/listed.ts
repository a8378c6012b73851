// Keeps out of Problems what the server marks only while it is in view (`in view`): its total would
// change with scrolling. There, such marks are hints, which Problems does not count; in the editor
// they look as what they are.
import * as vscode from 'vscode';
import { vsdiag } from 'vscode-languageclient/node';

type Report = vsdiag.DocumentDiagnosticReport | undefined | null;

type Mark = vscode.Diagnostic & { data?: unknown };

const inView = 'in view';

const unlisted = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
} satisfies Record<string, vscode.DiagnosticSeverity>;

type Look = keyof typeof unlisted;

const looks = Object.keys(unlisted) as Look[];

/** A mark as Problems may have it. */
export function listed<T extends vscode.Diagnostic>(mark: T): T {
  const look = looks.find((one) => unlisted[one] === mark.severity);
  if ((mark as Mark).data === inView && look !== undefined) {
    mark.severity = vscode.DiagnosticSeverity.Hint;
    (mark as Mark).data = look;
    // For these VS Code draws nothing of its own, where our languages' settings say so
    // (`editor.showDeprecated`); a hint has dots, in high contrast a line as long as the mark.
    mark.tags = [vscode.DiagnosticTag.Deprecated];
  }
  return mark;
}

/** The same of all that the server says of a document. */
export function withListed(report: Report): Report {
  if (report?.kind === vsdiag.DocumentDiagnosticReportKind.full) report.items.forEach(listed);
  return report;
}

/** Whether it is a hint in Problems only. */
export function lookOf(mark: Mark): Look | undefined {
  return mark.source === 'treelens' ? looks.find((look) => look === mark.data) : undefined;
}

/** How such marks are drawn, each with which of them. */
export function unlistedMarks(): (readonly [Look, vscode.TextEditorDecorationType])[] {
  return looks.map((look) => {
    const name = `editor${look.charAt(0).toUpperCase()}${look.slice(1)}.foreground`;
    const type = vscode.window.createTextEditorDecorationType({
      textDecoration: `underline wavy 1px var(--vscode-${name.replace('.', '-')})`,
      overviewRulerColor: new vscode.ThemeColor(name),
      overviewRulerLane: vscode.OverviewRulerLane.Right,
    });
    return [look, type] as const;
  });
}
