/** Seeded pseudo-random numbers (mulberry32). */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed | 0
  }

  /** A fraction in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let x = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61)
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer from `min` to `max`, inclusive. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)]
    if (item === undefined) throw new RangeError('cannot pick from an empty list')
    return item
  }
}
