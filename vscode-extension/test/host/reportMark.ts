/** Tells the suite's lines from the rest of VS Code's log. */
export const reportMark = '[suite] ';
