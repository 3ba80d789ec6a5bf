import { SIMULATION_NOTICE } from '#rules/constants'

/**
 * Notice on every page that the mining is simulated (Specification: points without cash value), and
 * the way to the status page, which the gateway renders.
 */
export function SimulationNotice() {
  return (
    <footer className="px-6 py-6 text-center text-xs text-balance text-muted">
      {SIMULATION_NOTICE}{' '}
      <a href="/status" className="underline underline-offset-2">
        Service status
      </a>
    </footer>
  )
}
