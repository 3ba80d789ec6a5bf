import { configureGlobal } from 'fast-check'

/**
 * A fixed seed, so every run checks the same cases. `PROPERTY_SEED=random` finds new cases,
 * `PROPERTY_SEED=<n>` repeats a run, and `PROPERTY_RUNS=<n>` checks more cases of each property that
 * sets no number.
 */
const seed = process.env.PROPERTY_SEED ?? '1'
const numRuns = Number(process.env.PROPERTY_RUNS ?? 200)
configureGlobal({ numRuns, ...(seed !== 'random' && { seed: Number(seed) }) })
