const parts = (version: string) => version.split('.').map((part) => Number.parseInt(part, 10) || 0)

/** Whether version `a` (such as `1.4.0`) comes before `b`; missing parts count as 0. */
export function isOlder(a: string, b: string): boolean {
  const [left, right] = [parts(a), parts(b)]
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}

/** Whether a text is a version of numbers, such as `1.4.0`. */
export function isVersion(text: string): boolean {
  return /^\d{1,6}(\.\d{1,6}){0,2}$/.test(text)
}
