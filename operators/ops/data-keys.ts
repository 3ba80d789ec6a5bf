import { readKeyUse, renewSealedRows } from '#operators/actions/data-keys'
import { acting, type OpsCommand } from './command.ts'

export const keyCommands = {
  'keys status': {
    does: 'encrypted rows by key of DATA_KEY: the current one, an older one, none',
    list: ({ db, config }) => readKeyUse(db, config.dataKey),
  },
  'keys renew': acting({
    does: 'encrypts rows under older keys of DATA_KEY again under the first one',
    of: async ({ db, config }) =>
      (await readKeyUse(db, config.dataKey)).reduce((sum, use) => sum + use.older, 0),
    asks: (older) =>
      older > 0 ? `Encrypt ${older} rows again under the first key of DATA_KEY?` : null,
    // After the commit: one transaction for all rows would hold each of them until its end.
    run: async (_, older, { db, config }) => ({
      says: `${older} rows are encrypted again`,
      details: { rows: older },
      after: () => renewSealedRows(db, config.dataKey),
    }),
  }),
} satisfies Record<string, OpsCommand>
