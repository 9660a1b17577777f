/**
 * The stream of snapshots. A browser allows six connections to a server, and a stream takes one for good: so the tabs of a
 * session share one. The tab that holds the lock has the connection and passes everything on; when it goes, another tab gets
 * the lock. Where the browser has no locks (an address of another machine without encryption), each tab has its own stream.
 */
export class Stream {
  /**
   * @param {string[]} topics
   * @param {(topic: string, snapshot: any) => void} onsnapshot
   * @param {() => void} onlost
   */
  constructor(topics, onsnapshot, onlost) {
    this.topics = topics;
    this.onsnapshot = onsnapshot;
    this.onlost = onlost;
    /** @type {AbortController|null} set while the stream is open */
    this.opened = null;
    /** @type {BroadcastChannel|null} */
    this.channel = null;
    /** @type {EventSource|null} */
    this.source = null;
    this.release = () => {};
  }

  get isOpen() {
    return this.opened !== null;
  }

  /** @param {string} name of the session @param {string} address of its events */
  open(name, address) {
    const opened = new AbortController();
    this.opened = opened;
    this.channel = new BroadcastChannel(`rukh.${name}`);
    this.channel.onmessage = ({ data }) => {
      if (data.isLost) this.lose();
      else this.onsnapshot(data.topic, JSON.parse(data.json));
    };
    if (!navigator.locks) {
      this.connect(address);
      return;
    }
    const hold = () => {
      if (!opened.signal.aborted) this.connect(address);
      return new Promise((resolve) => {
        this.release = () => resolve(undefined);
        if (opened.signal.aborted) this.release();
      });
    };
    navigator.locks.request(`rukh.${name}`, { signal: opened.signal }, hold).catch((error) => {
      // A stream that is closed before its turn has come.
      if (error.name !== "AbortError") throw error;
    });
  }

  /** @param {string} address */
  connect(address) {
    const source = new EventSource(address);
    this.source = source;
    for (const topic of this.topics) {
      source.addEventListener(topic, (event) => {
        const json = /** @type {MessageEvent} */ (event).data;
        this.onsnapshot(topic, JSON.parse(json));
        this.channel?.postMessage({ topic, json });
      });
    }
    source.addEventListener("error", () => {
      if (this.source !== source) return;
      this.channel?.postMessage({ isLost: true });
      this.lose();
    });
  }

  lose() {
    this.close();
    this.onlost();
  }

  close() {
    this.opened?.abort();
    this.opened = null;
    this.source?.close();
    this.source = null;
    this.channel?.close();
    this.channel = null;
    this.release();
    this.release = () => {};
  }
}
