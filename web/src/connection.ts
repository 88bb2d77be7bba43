// SPDX-License-Identifier: GPL-3.0-or-later
/* connection.ts -- is the server there? Looks by itself, says so, and says when it is back. */

import { ApiError, health } from './api.ts';
import { byId, h } from './dom.ts';

type Listener = (online: boolean) => void;

class Connection {
  online = false;
  range = { min: 800, max: 3000 };
  private timer = 0;
  private failures = 0;
  private readonly listeners: Listener[] = [];

  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Looks now and for as long as the page is open. */
  watch(): void {
    document.addEventListener('visibilitychange', () => document.hidden || void this.check());
    void this.check();
  }

  /** Looks now, and then every 20 s; every 2 s (growing to 10) while it is away. */
  async check(): Promise<void> {
    clearTimeout(this.timer);
    try {
      const answer = await health(AbortSignal.timeout(4000));
      if (answer.elo_min) this.range = { min: answer.elo_min, max: answer.elo_max };
      this.failures = 0;
      this.set(true, `Samara ${answer.version}`);
    } catch (error) {
      this.failures++;
      if (error instanceof ApiError && error.status === 401) this.askToken();
      else this.set(false, error instanceof ApiError && error.status ? error.message : 'Server away');
    }
    const delay = this.online ? 20000 : Math.min(10000, 2000 * this.failures);
    this.timer = window.setTimeout(() => document.hidden || void this.check(), delay);
  }

  /** A request failed for want of a server: look again at once. */
  lost(): void {
    if (this.online) void this.check();
  }

  private askToken(): void {
    this.set(false, 'Token needed');
    const text = byId('status-text');
    if (text.querySelector('button')) return;
    text.replaceChildren(
      h('button', {
        type: 'button',
        class: 'link',
        onclick: () => {
          const token = prompt('This server asks for its access token:');
          if (token) localStorage.setItem('samara.token', token.trim());
          void this.check();
        },
      }, 'Enter token'),
    );
  }

  private set(online: boolean, text: string): void {
    const pill = byId('status');
    pill.dataset.state = online ? 'online' : 'away';
    byId('status-text').textContent = text;
    byId('away').hidden = online;
    if (online === this.online) return;
    this.online = online;
    for (const listener of this.listeners) listener(online);
  }
}

export const connection = new Connection();
