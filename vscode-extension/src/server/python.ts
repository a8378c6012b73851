// Python, run so that nothing in the folder it is started in is taken for a part of it: that may
// be a workspace nobody has declared to be trusted, with a `venv.py` or a `python.exe` in it.
import { execFile } from 'node:child_process';
import * as os from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Without this Python imports from the folder it is started in. Since 3.11, which we need. */
export const safePath = '-P';

/** The Python of a virtual environment. */
export function pythonIn(environment: string, platform: string = process.platform): string {
  return platform === 'win32'
    ? path.win32.join(environment, 'Scripts', 'python.exe')
    : path.posix.join(environment, 'bin', 'python');
}

export function runPython(
  python: string,
  args: string[],
  options: { timeout?: number; signal?: AbortSignal } = {},
): Promise<{ stdout: string; stderr: string }> {
  // Windows looks for programs, too, in the folder that they are started in.
  return run(python, [safePath, ...args], { ...options, cwd: os.homedir() });
}
