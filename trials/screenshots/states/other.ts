import { aForgedProof, aProof } from '#trials/screenshots/proof'
import { chooseJson, inOrder, see } from '#trials/screenshots/steps'
import { FAILS, type State, statesOf } from './state.ts'

/** Screens of few states. */
export const OTHER_STATES: State[] = [
  ...statesOf(
    'network',
    { path: '/network', as: 'demo' },
    {
      status: { whole: true },
      shell: { shell: true },
      'large-text': { largeText: true, whole: true },
      loading: { loading: 'screen', stubs: { 'GET /api/network': 'never' } },
      error: { stubs: { 'GET /api/network': FAILS } },
    },
  ),
  ...statesOf(
    'verify',
    { path: '/verify' },
    {
      page: {},
      valid: { act: inOrder(chooseJson({ receipt: aProof() }), see('main h2')), whole: true },
      forged: { act: inOrder(chooseJson(aForgedProof()), see('main h2')), whole: true },
      'no-proof': { act: inOrder(chooseJson([]), see('main p.text-coral')) },
    },
  ),
  ...statesOf('status', { path: '/status' }, { page: {} }),
  ...statesOf('swap', { path: '/swap', as: 'demo' }, { 'coming-soon': {}, shell: { shell: true } }),
  ...statesOf('not-found', { path: '/nowhere' }, { visitor: {} }),
]
