import { HONEST_LINE } from '#rules/constants'

/** What this is and what it is not, quietly, on every page. */
export function HonestLine() {
  return (
    <footer className="px-6 py-6 text-center text-xs text-balance text-muted">{HONEST_LINE}</footer>
  )
}
