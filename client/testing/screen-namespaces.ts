import type { ScreenNamespace } from '#client/language/catalogues.ts'

const EACH: Record<ScreenNamespace, true> = {
  auth: true,
  mine: true,
  firstSteps: true,
  wallet: true,
  earnings: true,
  team: true,
  weekBoards: true,
  tasks: true,
  network: true,
  account: true,
  verify: true,
  inbox: true,
}

export const SCREEN_NAMESPACES = Object.keys(EACH) as ScreenNamespace[]
