import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SECOND_MS } from '#rules/constants'
import { ModelDevice, NETWORKS, type Network, type Report } from './testing/model-device.ts'
import { MODEL_COMMANDS, type ModelCommand, ModelServer } from './testing/model-server.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }))
afterEach(() => void vi.useRealTimers())

/** Two devices of one member; `a`, `b` and `tab` choose one of what exists. */
class World {
  readonly server = new ModelServer()
  readonly reports: Report[] = []
  readonly devices: ModelDevice[]
  /** Ids of the commands that a tab accepted. */
  readonly accepted: number[] = []

  constructor(hasLocks: boolean) {
    this.devices = [0, 1].map(() => new ModelDevice(this.server, this.reports, hasLocks))
    for (const device of this.devices) device.openTab()
  }

  async run(step: Step): Promise<void> {
    const device = this.devices[step.device % 2]
    if (!device) return
    const tabs = [...device.tabs]
    const tab = tabs[step.tab % tabs.length]
    if (step.do === 'suspend' && tab) device.suspend(tab)
    if (step.do === 'resume' && tab) device.resume(tab)
    if (step.do === 'issue' && tab && !tab.suspended) {
      const id = this.accepted.length
      const before = device.commands().length
      device.issue(tab, step.command, id)
      if (device.commands().length > before) this.accepted.push(id)
    }
    if (step.do === 'undo' && tab && !tab.suspended) {
      const [waiting] = device.commands().filter(({ state }) => state === 'waiting')
      if (waiting) tab.queue.undo(waiting.key)
    }
    if (step.do === 'network') device.setNetwork(step.network)
    if (step.do === 'open' && tabs.length < 3) device.openTab()
    if (step.do === 'close' && tab) device.closeTab(tab)
    if (step.do === 'reload' && tab) {
      device.closeTab(tab)
      device.openTab()
    }
    if (step.do === 'late') device.deliverLate()
    await vi.advanceTimersByTimeAsync(step.ms)
  }

  /**
   * The network returns, every device opens a page, and held back requests arrive at last. Then
   * suspended pages resume.
   */
  async settle(): Promise<void> {
    for (const device of this.devices) {
      device.openTab()
      device.setNetwork('up')
    }
    await vi.advanceTimersByTimeAsync(60 * SECOND_MS)
    for (const device of this.devices) device.deliverLate()
    await vi.advanceTimersByTimeAsync(SECOND_MS)
    for (const device of this.devices) {
      // Only the page that has a document can send it.
      expect(device.commands().filter(({ name }) => name !== 'upload')).toEqual([])
      for (const tab of device.tabs) device.resume(tab)
    }
    await vi.advanceTimersByTimeAsync(60 * SECOND_MS)
  }
}

type Step = {
  do: 'issue' | 'undo' | 'network' | 'open' | 'close' | 'reload' | 'late' | 'suspend' | 'resume'
  device: number
  tab: number
  command: ModelCommand
  network: Network
  ms: number
}

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    { weight: 4, arbitrary: fc.constant('issue' as const) },
    { weight: 4, arbitrary: fc.constant('network' as const) },
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        ...(['undo', 'open', 'close', 'reload', 'late', 'suspend', 'resume'] as const),
      ) as fc.Arbitrary<Exclude<Step['do'], 'issue' | 'network'>>,
    },
  ),
  device: fc.nat(1),
  tab: fc.nat(2),
  // Start and stop undo each other, so a late request may be accepted again.
  command: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom<ModelCommand>('start', 'stop') },
    { weight: 1, arbitrary: fc.constantFrom(...MODEL_COMMANDS) },
  ),
  network: fc.constantFrom(...NETWORKS),
  ms: fc.constantFrom(0, 10, 25, 100, 1_500, 8_000, 30_000),
})

/** What a member was told about each command, and how often it took effect. */
function outcomes({ accepted, reports, server }: World) {
  return accepted.map((id) => ({
    id,
    reported: reports.filter((one) => one.id === id).map(({ outcome }) => outcome),
    effects: server.effects.filter((one) => one === id).length,
  }))
}

it.each([
  ['with', true],
  ['without', false],
])(
  'a command takes effect exactly if it is reported as done, %s Web Locks',
  async (_, hasLocks) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const world = new World(hasLocks)
        for (const one of steps) await world.run(one)
        await world.settle()
        for (const { id, reported, effects } of outcomes(world)) {
          // Without locks two pages may report the same outcome.
          const distinct = hasLocks ? reported : [...new Set(reported)]
          expect({ id, reported: distinct, effects }).toEqual({
            id,
            reported: [reported[0]],
            effects: reported[0] === 'done' ? 1 : 0,
          })
        }
        for (const device of world.devices) expect(device.commands()).toEqual([])
      }),
      { numRuns: 150 },
    )
  },
  60_000,
)

it('a command that is reported as refused does not take effect when its first request arrives late', async () => {
  const world = new World(true)
  const nothing = { device: 0, tab: 0, command: 'start', network: 'up', ms: 0 } as const
  await world.run({ ...nothing, do: 'network', network: 'late' })
  await world.run({ ...nothing, do: 'issue', ms: 100 })
  await world.run({ ...nothing, do: 'issue', device: 1, ms: 100 })
  await world.run({ ...nothing, do: 'network', ms: 3_000 })
  await world.run({ ...nothing, do: 'issue', device: 1, command: 'stop', ms: 100 })
  await world.settle()
  expect(outcomes(world)).toEqual([
    { id: 0, reported: ['refused'], effects: 0 },
    { id: 1, reported: ['done'], effects: 1 },
    { id: 2, reported: ['done'], effects: 1 },
  ])
  expect(world.server.session).toBeNull()
})

it("a command that took effect is reported as done although a proxy's page follows its lost answer", async () => {
  const world = new World(true)
  const nothing = { device: 0, tab: 0, command: 'claim', network: 'up', ms: 0 } as const
  await world.run({ ...nothing, do: 'network', network: 'deaf' })
  await world.run({ ...nothing, do: 'issue', ms: 100 })
  await world.run({ ...nothing, do: 'network', network: 'astray', ms: 8_000 })
  expect(world.reports).toEqual([])
  await world.settle()
  expect(outcomes(world)).toEqual([{ id: 0, reported: ['done'], effects: 1 }])
})

describe('a page that the system suspends while its command waits', () => {
  const page = { device: 0, tab: 0, command: 'claim', network: 'up', ms: 0 } as const

  async function suspendWith(command: ModelCommand) {
    const world = new World(true)
    await world.run({ ...page, do: 'network', network: 'down' })
    await world.run({ ...page, do: 'issue', command, ms: 100 })
    await world.run({ ...page, do: 'suspend' })
    await world.run({ ...page, do: 'open', ms: 100 })
    await world.run({ ...page, do: 'network', ms: 100 })
    return { world, waiting: () => world.devices[0]?.commands() }
  }

  it('leaves the command to a visible page after a while', async () => {
    const { world, waiting } = await suspendWith('claim')
    expect(waiting()).toHaveLength(1)
    await world.run({ ...page, do: 'network', ms: 30_000 })
    expect(waiting()).toEqual([])
    await world.settle()
    expect(outcomes(world)).toEqual([{ id: 0, reported: ['done'], effects: 1 }])
  })

  it('keeps the command if only it has the input, unless the member undoes it', async () => {
    const { world, waiting } = await suspendWith('upload')
    await world.run({ ...page, do: 'network', ms: 60_000 })
    expect(waiting()).toMatchObject([{ state: 'waiting' }])
    await world.run({ ...page, do: 'undo', tab: 1, ms: 30_000 })
    expect(waiting()).toEqual([])
    await world.settle()
    expect(outcomes(world)).toEqual([{ id: 0, reported: ['dropped'], effects: 0 }])
  })

  it('sends the command that only it can send when it resumes', async () => {
    const { world } = await suspendWith('upload')
    await world.run({ ...page, do: 'network', ms: 60_000 })
    await world.run({ ...page, do: 'resume', ms: 1_000 })
    await world.settle()
    expect(outcomes(world)).toEqual([{ id: 0, reported: ['done'], effects: 1 }])
  })
})
