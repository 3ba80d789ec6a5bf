/** One measurement of a shape; resolves to its value. */
export type Shape = () => Promise<number>

export type InterleaveOptions<Name extends string> = {
  rounds: number
  /** Runs before each measurement, outside of its value: makes rows due, restarts a server. */
  before?: (name: Name) => Promise<void>
  /** Unmeasured rounds at the start. */
  warmUps?: number
}

/**
 * Measures shapes side by side: each round runs each shape once, and each round starts with another
 * shape, so that drift of the machine and the state that one shape leaves behind meet all of them.
 * @returns the values of each shape, one a round
 */
export async function interleave<Name extends string>(
  shapes: Record<Name, Shape>,
  { rounds, before = async () => {}, warmUps = 1 }: InterleaveOptions<Name>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(shapes) as Name[]
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >
  for (let round = -warmUps; round < rounds; round++) {
    const first = Math.max(0, round) % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      await before(name)
      const value = await shapes[name]()
      if (round >= 0) values[name].push(value)
    }
  }
  return values
}

/** Table rows of interleaved values, in the order of the shapes. */
export function rowsOf(values: Record<string, number[]>) {
  return Object.entries(values).map(([label, each]) => ({ label, values: each }))
}
