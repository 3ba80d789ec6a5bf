import os from 'node:os'
import { Started } from '#runtime/process/lifetime/shutdown'
import { readArguments } from '#runtime/process/read-arguments'
import { Players } from '#trials/simulation/players/players'
import { runSimulation, type SimulationRun, worldCount } from '#trials/simulation/run'
import { startServer } from '#trials/simulation/server'

/**
 * `npm run simulate -- [--seed n] [--histories n] [--parallel n]`: plays histories of members against
 * the model until so many are done. `--seed n --only k` plays history k of one seed again.
 */
const cores = os.availableParallelism()
const { values } = readArguments(
  'npm run simulate -- [--seed <n>] [--histories <n>] [--only <n>] [--parallel <n>]',
  {
    options: {
      seed: { type: 'string', default: '1' },
      histories: { type: 'string', default: '1000' },
      only: { type: 'string' },
      parallel: { type: 'string', default: String(Math.min(8, 2 * cores)) },
    },
  },
)
const run: SimulationRun = {
  seed: Number(values.seed),
  histories: Number(values.histories),
  only: values.only === undefined ? undefined : Number(values.only),
  parallel: Number(values.parallel),
}
const started = new Started()
started.stopAtSignals()
try {
  const { url } = await started.add(startServer(), (server) => server.stop())
  const players = new Players(Math.min(cores, run.parallel, worldCount(run)))
  void started.add(Promise.resolve(players), async () => players.end())
  await started.stop((await runSimulation(url, players, run)) ? 0 : 1)
} catch (error) {
  // A signal ends the processes and the server, so what still runs on them fails.
  if (!started.isStopping) console.error(error)
  await started.stop(1)
}
