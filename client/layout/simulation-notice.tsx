import { SIMULATION_NOTICE } from '#rules/constants'

/** Notice on every page that the mining is simulated (Specification: points without cash value). */
export function SimulationNotice() {
  return (
    <footer className="px-6 py-6 text-center text-xs text-balance text-muted">
      {SIMULATION_NOTICE}
    </footer>
  )
}
