export { lockOwner, processMark, tryLock, unlock } from './process-lock.mjs'
