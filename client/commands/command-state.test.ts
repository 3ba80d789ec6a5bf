import { expect, it } from 'vitest'
import { type CommandEvent, type CommandState, isFinal, nextState } from './command-state.ts'

const EVENTS: CommandEvent[] = [
  'lost',
  'given up',
  'answered',
  'rejected',
  'undone',
  'outdated',
  'cancelled',
  'signed out',
]

/** The state that each event leads to, in the order of EVENTS; a dot changes nothing. */
const TABLE: Record<CommandState, string> = {
  pending: 'retrying waiting done refused undoing undoing . dropped',
  retrying: '. waiting done refusing undoing undoing . dropped',
  waiting: '. . done refusing undoing undoing . dropped',
  undoing: '. . done . . . dropped dropped',
  refusing: '. . done . . . refused dropped',
  done: '. . . . . . . .',
  refused: '. . . . . . . .',
  dropped: '. . . . . . . .',
}

it.each(Object.entries(TABLE))('the transitions of %s are those of the table', (from, row) => {
  const reached = EVENTS.map((event) => nextState(from as CommandState, event))
  expect(reached).toEqual(row.split(' ').map((to) => (to === '.' ? from : to)))
})

it('a command is final when it is done, refused or dropped', () => {
  const states = Object.keys(TABLE) as CommandState[]
  expect(states.filter(isFinal)).toEqual(['done', 'refused', 'dropped'])
})
