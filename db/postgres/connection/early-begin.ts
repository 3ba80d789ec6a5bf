import type { Client } from 'pg'

/** What is used of Knex's client: it makes transactions, which ask for a connection later. */
type Transactions = {
  transaction(...given: unknown[]): {
    /** The client of the statements of this transaction; set before `begin`. */
    trxClient?: object
    begin(connection: Client): Promise<unknown>
  }
}

const connections = new WeakMap<object, Client>()

/** The connection of a transaction, given its client (`tx.client`); undefined for a pool. */
export function connectionOfTransaction(client: object): Client | undefined {
  return connections.get(client)
}

/**
 * Sends BEGIN together with the first statements of a transaction instead of waiting for its answer:
 * one round trip less. It needs pg's `pipeline`. Postgres runs the statements in order, each with a
 * snapshot of its own, so one that follows a lock sees what was committed before the lock was granted.
 */
export function sendBeginEarly(client: Transactions): void {
  const makeTransaction = client.transaction.bind(client)
  client.transaction = (...given) => {
    const transaction = makeTransaction(...given)
    const begin = transaction.begin.bind(transaction)
    transaction.begin = (connection) => {
      if (transaction.trxClient) connections.set(transaction.trxClient, connection)
      const { stream } = connection.connection
      // pg writes each statement by itself; those that follow in this turn leave in the same write.
      stream.cork()
      process.nextTick(() => stream.uncork())
      // Rejects the transaction if it fails, so nothing waits for it.
      void begin(connection)
      return Promise.resolve()
    }
    return transaction
  }
}
