export { advance, freeze } from '#db/testing/clock'
