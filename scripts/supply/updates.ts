/** What `npm outdated --json` says about one dependency. */
type Outdated = { current?: string; wanted: string; latest: string }

/** A dependency that is behind, and how far. */
export type Update = {
  name: string
  current: string
  latest: string
  step: 'major' | 'minor' | 'patch'
}

const STEPS = ['major', 'minor', 'patch'] as const

/** The first number in which two versions differ. */
function stepOf(current: string, latest: string): Update['step'] {
  const [from, to] = [current, latest].map((version) => version.split(/[.-]/))
  const first = STEPS.findIndex((_, i) => from?.[i] !== to?.[i])
  return STEPS[first] ?? 'patch'
}

/** The dependencies that are behind, the largest steps first. */
export function updatesOf(outdated: Record<string, Outdated>): Update[] {
  return Object.entries(outdated)
    .flatMap(([name, { current, latest }]) =>
      current === undefined || current === latest
        ? []
        : [{ name, current, latest, step: stepOf(current, latest) }],
    )
    .sort(
      (a, b) => STEPS.indexOf(a.step) - STEPS.indexOf(b.step) || a.name.localeCompare(b.name, 'en'),
    )
}
