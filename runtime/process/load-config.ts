import { type Config, ConfigError, readConfig } from '#runtime/config/config'

/** Reads the configuration. Prints every problem and ends the process if it is invalid. */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  try {
    return readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.problems) console.error(problem)
    process.exit(1)
  }
}
