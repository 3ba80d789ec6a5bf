import { workLag } from '#operators/actions/lag'
import type { ListCommand } from '#operators/ops/command'

export const lag: ListCommand = {
  does: 'how late background work is; up to 10 s are usual for sweeps while no credit is due',
  list: async ({ db }) =>
    (await workLag(db)).map(({ work, seconds }) => ({
      work,
      seconds: seconds === null ? null : Number(seconds.toFixed(1)),
    })),
}
