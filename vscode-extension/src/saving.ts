/** Writing to a disk that may be full, and that others write to: what fails is said, nothing half
 * is left, and nothing of others is written over. */
import { open } from 'node:fs/promises';

/** Saves a document that nobody looks at; whether it could. If not, `failed` lets it be seen. */
export async function saved(
  document: { save(): PromiseLike<boolean> },
  failed: () => PromiseLike<unknown>,
): Promise<boolean> {
  const done = await settled(document.save());
  if (done !== true) await failed();
  return done === true;
}

/** Writes a new file whole; if that fails, what there is of it is removed, and `failed` says so. */
export async function written(
  write: () => PromiseLike<void>,
  remove: () => PromiseLike<void>,
  failed: (reason: string) => unknown,
): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    await settled(remove());
    failed(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/**
 * Makes a file that is not there yet, empty. VS Code looks first and then writes: what another
 * window has made of the file between the two would be gone. Where it is there, or cannot be made,
 * nothing happens; whoever writes to it is told.
 */
export async function begun(path: string): Promise<void> {
  const file = await settled(open(path, 'wx'));
  await file?.close();
}

async function settled<T>(work: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch {
    return undefined;
  }
}
