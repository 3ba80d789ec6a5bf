import { readNetwork } from '#db/ledger/network-counters'
import { signedIn } from '#gateway/http/route'

/** The figures of the Network screen. */
export const network = signedIn<'GET /api/network'>(({ services }) => readNetwork(services.db))
