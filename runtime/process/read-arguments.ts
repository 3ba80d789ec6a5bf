import { type ParseArgsConfig, parseArgs } from 'node:util'

type Arguments<Config extends ParseArgsConfig> = ReturnType<typeof parseArgs<Config>>

/** Node explains at the end how to quote an argument that begins with a dash, which no command takes. */
const firstSentence = (message: string) => message.split('. ')[0]

/** Anything that the command does not take ends the process with what is wrong and the usage. */
export function readArguments<Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
  argv = process.argv.slice(2),
): Arguments<Config> {
  if (argv.includes('--help') || argv.includes('-h')) {
    console.log(`Usage: ${usage}`)
    process.exit(0)
  }
  try {
    return parseArgs({ ...config, args: argv }) as Arguments<Config>
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    console.error(`${firstSentence(error.message)}. Usage: ${usage}`)
    process.exit(1)
  }
}
