import { aKey, makeProof, published } from '#db/ledger/seals/testing/make-proof'
import { chooseJson, inOrder, see } from '#trials/screenshots/steps'
import { FAILS, ofReading, type State, statesOf } from './state.ts'

const key = aKey()
const proof = makeProof(key)
const PUBLISHED: State['stubs'] = {
  'GET /api/ledger/keys': { json: { keys: [published(key)] } },
  'GET /api/ledger/roots': { json: { seals: [proof.seal] } },
}
const UNREACHABLE: State['stubs'] = { ...PUBLISHED, 'GET /api/ledger/roots': FAILS }
const verdictOf = (file: object) => inOrder(chooseJson(file), see('main h2'))

export const OTHER_STATES: State[] = [
  ...statesOf(
    'network',
    { path: '/network', as: 'demo' },
    { status: { whole: true }, ...ofReading('GET /api/network') },
  ),
  ...statesOf(
    'verify',
    { path: '/verify' },
    {
      page: {},
      valid: { stubs: PUBLISHED, act: verdictOf({ receipt: proof }), whole: true },
      forged: { stubs: PUBLISHED, act: verdictOf(makeProof(aKey())), whole: true },
      unreachable: { stubs: UNREACHABLE, act: verdictOf(proof), whole: true },
      'no-proof': { act: inOrder(chooseJson([]), see('main p.text-coral')) },
    },
  ),
  ...statesOf('status', { path: '/status' }, { page: {} }),
  ...statesOf('swap', { path: '/swap', as: 'demo' }, { 'coming-soon': {}, shell: { shell: true } }),
  ...statesOf('not-found', { path: '/nowhere' }, { visitor: {} }),
]
