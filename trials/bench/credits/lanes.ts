/** Works through the items in order, `count` at a time. */
export async function lanes<T>(
  count: number,
  items: T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: count }, lane))
}
