import path from 'node:path'
import { ALERTS } from '#operators/monitoring/testing/monitoring-files'
import { freePorts } from '#runtime/config/free-port'
import { readText } from '#scripts/testing/read-file'
import { mailServer } from '#scripts/testing/workers/mail-server'
import { Prometheus, ruleProblems, targetProblems } from '#trials/containers/monitoring'
import { replaced } from '#trials/containers/stack'
import { runScript, ServerProcess } from '#trials/kit/child'
import { trialServers } from '#trials/kit/servers'
import { Stage } from '#trials/kit/stage'
import type { Trial } from '#trials/kit/trial'
import { until } from '#trials/kit/until'

const ALERT = 'WorkersAway'
/** Two minutes of the rule, a scrape, an evaluation and the wait of a group. */
const LIMITS = { limitMs: 240_000, pauseMs: 1_000 }

async function doctor(env: NodeJS.ProcessEnv): Promise<string> {
  const printed = await runScript('ops', ['doctor', '--json'], env).catch(String)
  const json = printed.slice(printed.indexOf('[\n'), printed.lastIndexOf(']') + 1)
  const findings: { check: string; result: string }[] = JSON.parse(json)
  return findings
    .filter(({ check }) => ['metrics', 'alerts'].includes(check))
    .map(({ check, result }) => `${check}: ${result}`)
    .join(', ')
}

/** Uses the repository's files. Kills all workers, waits for the mail, starts them, waits for the mail of the end. */
export async function tryAlerts(trial: Trial): Promise<void> {
  const { report, folder, defer } = trial
  const [gatewayPort = 0, workersPort = 0, hostPort = 0, prometheusPort = 0, alertsPort = 0] =
    await freePorts(5)
  const mails = await mailServer()
  await mails.start()
  defer(() => mails.stop())
  const place = await trialServers(trial)
  await runScript('migrate', [], { ...place.secrets, DATABASE_URL: place.url })
  const env = { METRICS_PORT: String(gatewayPort), WORKERS_PORT: String(workersPort) }
  const stage = await report.step('a gateway and a workers process start', () =>
    Stage.start(place, { gateways: 1, workers: 1, env }),
  )
  defer(() => stage.stop())
  const [workers] = stage.workers
  if (!workers) throw new Error('no workers process')

  const start = (program: string, configs: Record<string, string>, args: string[]) => {
    const server = new ServerProcess(program, path.join(folder, program))
    defer(() => server.remove())
    for (const [name, text] of Object.entries(configs)) server.write(name, text)
    server.launch(args.map((arg) => arg.replace('FOLDER', server.folder)))
    return server
  }
  start('prometheus-node-exporter', {}, [`--web.listen-address=127.0.0.1:${hostPort}`])
  start(
    'prometheus-alertmanager',
    {
      'alertmanager.yml': replaced(readText('operators/monitoring/alertmanager.yml'), {
        'mail:1025': new URL(mails.url).host,
      }),
    },
    [
      '--config.file=FOLDER/alertmanager.yml',
      '--storage.path=FOLDER/data',
      `--web.listen-address=127.0.0.1:${alertsPort}`,
      '--cluster.listen-address=',
    ],
  )
  const server = start(
    'prometheus',
    {
      'alerts.yml': readText('operators/monitoring/alerts.yml'),
      'prometheus.yml': replaced(readText('docs/deploy/prometheus.yml'), {
        "'127.0.0.1:9101', '127.0.0.1:9102'": `'127.0.0.1:${gatewayPort}'`,
        "'127.0.0.1:9201', '127.0.0.1:9202'": `'127.0.0.1:${workersPort}'`,
        '127.0.0.1:9100': `127.0.0.1:${hostPort}`,
        '127.0.0.1:9093': `127.0.0.1:${alertsPort}`,
      }),
    },
    [
      '--config.file=FOLDER/prometheus.yml',
      '--storage.tsdb.path=FOLDER/data',
      `--web.listen-address=127.0.0.1:${prometheusPort}`,
    ],
  )
  const prometheus = new Prometheus(prometheusPort)
  await report.step('Prometheus scrapes all targets', async () => {
    await server.until(() => prometheus.targets())
    const expected = { gateway: 1, workers: 1, host: 1 }
    const problems = async () => [
      ...(await targetProblems(prometheus, expected)),
      ...(await ruleProblems(prometheus)),
    ]
    await until('targets and rules', async () => (await problems()).length === 0, LIMITS)
  })
  const disks = ALERTS.find(({ alert }) => alert === 'DiskFills')?.expr.replace(/ < .*/, '') ?? ''
  const free = await prometheus.values(disks)
  report.expect('DiskFills sees disks', free.length > 0, true)
  const asks = {
    ...stage.env,
    PROMETHEUS_URL: `http://127.0.0.1:${prometheusPort}`,
  }
  report.expect('npm run ops -- doctor', await doctor(asks), 'metrics: ok, alerts: ok')

  const mailOf = (status: string) =>
    mails.mails.find((mail) => mail.includes(`Subject: [${status}] ${ALERT}`))
  await workers.stop('SIGKILL')
  const firing = await report.step('all workers are killed: a mail arrives', () =>
    until('mail', () => mailOf('firing'), LIMITS),
  )
  const mail = firing.replaceAll('=\r\n', '')
  const rule = ALERTS.find(({ alert }) => alert === ALERT)
  report.expect('it wakes somebody', /^To: on-call@/m.test(mail), true)
  report.expect('it says what to do', mail.includes(rule?.annotations.action ?? '?'), true)
  report.expect('npm run ops -- doctor', await doctor(asks), 'metrics: wrong, alerts: wrong')
  await workers.start()
  await report.step('workers are back: a mail says that it is over', () =>
    until('mail', () => mailOf('resolved'), LIMITS),
  )
}
