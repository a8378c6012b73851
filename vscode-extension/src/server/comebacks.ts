// How often a server that ends by itself is started anew: not one that does so each time.

const threeMinutes = 180_000;

export class Comebacks {
  private ends: number[] = [];

  /** So many times within so many milliseconds, as language clients of VS Code do. */
  constructor(
    private readonly most = 4,
    private readonly within = threeMinutes,
  ) {}

  /** Whether one that ends now is started anew. */
  next(now = Date.now()): boolean {
    this.ends = [...this.ends.filter((end) => now - end < this.within), now];
    return this.ends.length <= this.most;
  }
}
