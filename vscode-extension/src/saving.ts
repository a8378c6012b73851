/** Writing to a disk that may be full: what fails is said, and nothing half is left. */

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

async function settled<T>(work: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch {
    return undefined;
  }
}
