// SPDX-License-Identifier: GPL-3.0-or-later
/* database.ts -- the browser's own store (IndexedDB): games on this device, and evaluations. Where there is none
 * (private windows of some browsers) the page works without. It is opened at once and waited for only by what reads it. */

export type Table = 'games' | 'evaluations';

const name = 'samara';
const version = 1;

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the store failed'));
  });

export class Database {
  private db: IDBDatabase | undefined; // undefined also where this browser keeps nothing
  private readonly opened: Promise<void> = this.open();

  private async open(): Promise<void> {
    try {
      const request = indexedDB.open(name, version);
      request.onupgradeneeded = () => {
        request.result.createObjectStore('games', { keyPath: 'id' }).createIndex('when', 'when');
        request.result.createObjectStore('evaluations', { keyPath: 'key' }).createIndex('when', 'when');
      };
      const db = await done(request);
      db.onversionchange = () => db.close(); // a newer page wants to change the tables
      this.db = db;
    } catch {
      /* then the page works without */
    }
  }

  /* Throws where there is no store; all callers take that as an empty one. */
  private table(table: Table, mode: IDBTransactionMode): IDBObjectStore {
    return this.db!.transaction(table, mode).objectStore(table);
  }

  async get<T>(table: Table, key: string): Promise<T | undefined> {
    await this.opened;
    try {
      return (await done(this.table(table, 'readonly').get(key))) as T | undefined;
    } catch {
      return undefined;
    }
  }

  /** Newest first. */
  async list<T>(table: Table, most: number): Promise<T[]> {
    const found: T[] = [];
    await this.opened;
    try {
      const cursor = this.table(table, 'readonly').index('when').openCursor(null, 'prev');
      await new Promise<void>((resolve, reject) => {
        cursor.onerror = () => reject(cursor.error);
        cursor.onsuccess = () => {
          if (!cursor.result || found.length >= most) return resolve();
          found.push(cursor.result.value as T);
          cursor.result.continue();
        };
      });
    } catch {
      /* then there is nothing to list */
    }
    return found;
  }

  /** Begins at once, without waiting for anything: it may be the last thing that this page does. */
  put(table: Table, value: unknown): void {
    try {
      const store = this.table(table, 'readwrite');
      store.put(value);
      store.transaction.commit();
    } catch {
      /* the disk is full, or the store was closed for a newer page */
    }
  }

  remove(table: Table, key: string): void {
    try {
      this.table(table, 'readwrite').delete(key);
    } catch {
      /* it stays */
    }
  }

  async keepNewest(table: Table, most: number): Promise<void> {
    try {
      let surplus = (await done(this.table(table, 'readonly').count())) - most;
      if (surplus <= 0) return;
      const cursor = this.table(table, 'readwrite').index('when').openCursor();
      cursor.onsuccess = () => {
        if (!cursor.result || surplus-- <= 0) return;
        cursor.result.delete();
        cursor.result.continue();
      };
    } catch {
      /* another day */
    }
  }
}
