// All pairs that there are, as the server's messages add up: each is about some gold files.
import type { PairStatus, StatusParams } from '../protocol';

export class PairTable {
  private readonly byGold = new Map<string, readonly PairStatus[]>();
  /** The gold files of the pairs that each file is in, in the order in which they came. */
  private readonly golds = new Map<string, Set<string>>();

  /** `key`: the same of all spellings of a URI. */
  constructor(private readonly key: (uri: string) => string) {}

  take({ golds, pairs }: Pick<StatusParams, 'golds' | 'pairs'>): void {
    for (const gold of golds) {
      const before = this.files(this.from(gold));
      const now = pairs.filter((pair) => pair.gold === gold);
      this.byGold.set(gold, now);
      if (now.length === 0) this.byGold.delete(gold);
      const after = this.files(now);
      for (const file of before) if (!after.has(file)) this.forget(file, gold);
      for (const file of after) this.goldsOf(file).add(gold);
    }
  }

  clear(): void {
    this.byGold.clear();
    this.golds.clear();
  }

  /** Those of a gold file. */
  from(gold: string): readonly PairStatus[] {
    return this.byGold.get(gold) ?? [];
  }

  /** Those that a file is in. */
  of(uri: string): PairStatus[] {
    const file = this.key(uri);
    const found = [...(this.golds.get(file) ?? [])].flatMap((gold) => this.from(gold));
    return found.filter((pair) => this.files([pair]).has(file));
  }

  private files(pairs: readonly PairStatus[]): Set<string> {
    return new Set(pairs.flatMap(({ gold, system }) => [this.key(gold), this.key(system)]));
  }

  private goldsOf(file: string): Set<string> {
    const known = this.golds.get(file) ?? new Set();
    this.golds.set(file, known);
    return known;
  }

  private forget(file: string, gold: string): void {
    const known = this.golds.get(file);
    known?.delete(gold);
    if (known?.size === 0) this.golds.delete(file);
  }
}
