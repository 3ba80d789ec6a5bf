import { HONEST_LINE } from '#rules/constants'

/** Notice on every page that the mining is simulated (Specification: points without cash value). */
export function HonestLine() {
  return (
    <footer className="px-6 py-6 text-center text-xs text-balance text-muted">{HONEST_LINE}</footer>
  )
}
