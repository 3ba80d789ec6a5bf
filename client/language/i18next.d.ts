import type { Catalogues } from './catalogues.ts'

declare module 'i18next' {
  /** Makes unknown keys, and calls without their variables, type errors. */
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Catalogues
    strictInterpolationChecks: true
  }
}
