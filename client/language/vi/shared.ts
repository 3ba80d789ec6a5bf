export { common } from './shared/common.ts'
export { layout } from './shared/layout.ts'
