// SPDX-License-Identifier: GPL-3.0-or-later
/* keys.ts -- names under which a tab and this browser remember games. */

export const tabKey = 'samara.tab'; // session: the record on this tab's board
export const lastKey = 'samara.last'; // session: that record as it was when the tab was left
export const keptKey = 'samara.kept'; // this browser has games, which a new tab may bring back
