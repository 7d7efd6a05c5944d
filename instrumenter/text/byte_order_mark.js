const BYTE_ORDER_MARK = '\ufeff';

/** @param {string} code @returns {string} the mark that it begins with, which engines drop before they count columns; empty: none */
export function byteOrderMark(code) {
  return code.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
}
