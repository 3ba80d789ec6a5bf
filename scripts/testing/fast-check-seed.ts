import { configureGlobal } from 'fast-check'

/**
 * A fixed seed, so every run checks the same cases. `PROPERTY_SEED=random` finds new cases,
 * `PROPERTY_SEED=<n>` repeats a run.
 */
const seed = process.env.PROPERTY_SEED ?? '1'
if (seed !== 'random') configureGlobal({ seed: Number(seed) })
