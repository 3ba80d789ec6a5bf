import { serve } from '#trials/kit/fork'
import { playWorld } from './players.ts'

const CALLS = { play: playWorld }
export type PlayerCalls = typeof CALLS
serve(CALLS)
