/** Why a request is not answered with 204; the message is for who reads the network panel. */
export class Refusal extends Error {
  /** @param {number} status of HTTP @param {string} message @param {Record<string, string | number>} [headers] */
  constructor(status, message, headers = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
