import { setImmediate } from 'node:timers/promises'
import { GlobalWindow } from 'happy-dom'
import { populateGlobal } from 'vitest/runtime'

/** What Node has too, but a page must take from its window. */
const OF_WINDOW = [
  'AbortController',
  'AbortSignal',
  'fetch',
  'FormData',
  'Headers',
  'localStorage',
  'MessagePort',
  'Request',
  'Response',
  'sessionStorage',
  'URL',
  'URLSearchParams',
]

/**
 * Timers end with their window. Shared packages keep the functions that they find when they are loaded,
 * so these are the same in all windows and belong to the newest.
 */
const TIMERS = [
  'cancelAnimationFrame',
  'clearInterval',
  'clearTimeout',
  'queueMicrotask',
  'requestAnimationFrame',
  'setInterval',
  'setTimeout',
] as const

const NEWEST = Symbol.for('newest window')

/**
 * wouter marks the window whose history it has changed, by a property that cannot be deleted unless it
 * was there before. Without the mark it changes the history of the next window too.
 */
const MARK_OF_WOUTER = Symbol.for('wouter_v3')

function setTimers(target: object): void {
  for (const name of TIMERS) {
    const timer = (...args: unknown[]) => {
      const newest: GlobalWindow = Reflect.get(target, NEWEST)
      return Reflect.apply(newest[name], newest, args)
    }
    Object.assign(target, { [name]: timer })
  }
}

const isOfVitest = (key: string) => key.startsWith('__vitest')

/**
 * Removes every global that `before` does not have and restores the others. Vitest keeps its state of
 * the running file in globals of its own.
 */
function restoreGlobals(target: object, before: PropertyDescriptorMap): void {
  for (const key of Object.getOwnPropertyNames(target)) {
    if (!Object.hasOwn(before, key) && !isOfVitest(key)) Reflect.deleteProperty(target, key)
  }
  for (const [key, descriptor] of Object.entries(before)) {
    if (!isOfVitest(key)) Reflect.defineProperty(target, key, descriptor)
  }
}

export type OpenWindow = {
  /** Ends timers and requests of the page. Its globals stay, so that what still runs finds them. */
  close(): Promise<void>
  /** Removes the globals of the page, and those that its code has set. */
  remove(): void
}

/** Makes a new browser window the globals of `target`. */
export function openWindow(target: object): OpenWindow {
  const before = Object.getOwnPropertyDescriptors(target)
  const window = new GlobalWindow({
    console: globalThis.console,
    url: 'http://localhost:3000',
    // Vitest reports errors of listeners and timers.
    settings: { disableErrorCapturing: true },
  })
  populateGlobal(target, window, { bindFunctions: true, additionalKeys: OF_WINDOW })
  Reflect.set(target, NEWEST, window)
  Reflect.defineProperty(target, MARK_OF_WOUTER, { value: undefined, configurable: true })
  setTimers(target)
  return {
    async close() {
      await window.happyDOM.close()
      // React renders in immediates of Node.
      await setImmediate()
      await setImmediate()
    },
    remove() {
      Reflect.deleteProperty(target, NEWEST)
      Reflect.deleteProperty(target, MARK_OF_WOUTER)
      restoreGlobals(target, before)
    },
  }
}
