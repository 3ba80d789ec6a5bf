import { configure } from '@testing-library/react'

/** How long `findBy…` and `waitFor` wait before they give up: a busy machine draws late. */
const PATIENCE_MS = 5_000

export function bePatient(): void {
  configure({ asyncUtilTimeout: PATIENCE_MS })
}
