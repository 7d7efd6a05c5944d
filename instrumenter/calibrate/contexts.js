/** @import { Session } from './visit.js' */

/** Where a page's scripts run: the page, its frames and its workers each have a global scope of their own. */
export class Contexts {
  /** Their ids. @type {Map<Session, Set<number>>} */
  #ids = new Map();

  /** @type {Record<string, (params: any, session: Session) => void>} */
  onEvent = {
    'Runtime.executionContextCreated': ({ context }, session) => {
      const isOfExtension = context.auxData?.isDefault === false;
      if (!isOfExtension) this.#idsOf(session).add(context.id);
    },
    'Runtime.executionContextDestroyed': ({ executionContextId }, session) =>
      void this.#idsOf(session).delete(executionContextId),
    'Runtime.executionContextsCleared': (_, session) => this.#idsOf(session).clear(),
  };

  /** @param {Session} session @param {string} expression that is evaluated in all of them */
  async evaluate(session, expression) {
    const all = [...this.#idsOf(session)].map((contextId) =>
      session('Runtime.evaluate', { expression, contextId }),
    );
    // A frame may go meanwhile.
    await Promise.allSettled(all);
  }

  /** @param {Session} session */
  #idsOf(session) {
    const ids = this.#ids.get(session) ?? new Set();
    this.#ids.set(session, ids);
    return ids;
  }
}
