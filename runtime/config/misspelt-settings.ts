import { SETTINGS } from './settings.ts'

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Short names of other programs are close to ours by chance. */
const LETTERS_A_MISTAKE = 4

/** Variables that are nearly a setting, such as `TRUSTED_PROXY`, each with the setting that is meant. */
export function misspeltSettings(env: Record<string, string | undefined>): [string, string][] {
  const names = Object.keys(SETTINGS)
  return Object.keys(env)
    .filter((name) => /^[A-Z_]+$/.test(name) && !Object.hasOwn(SETTINGS, name))
    .flatMap((name) => {
      const limit = Math.min(3, Math.floor(name.length / LETTERS_A_MISTAKE))
      const meant = names.find(
        (known) => distance(name, known) <= limit && env[known] === undefined,
      )
      return meant ? [[name, meant] as [string, string]] : []
    })
}
