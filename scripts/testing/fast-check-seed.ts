import { configureGlobal } from 'fast-check'

/**
 * The same cases in each run, so that a change is judged by what it changes. `PROPERTY_SEED=random`
 * looks for new ones, `PROPERTY_SEED=<n>` repeats a run.
 */
const seed = process.env.PROPERTY_SEED ?? '1'
if (seed !== 'random') configureGlobal({ seed: Number(seed) })
