import { Person } from './person.ts';

/** Creates a webhook, and leaves: what it gets is looked at in the end. */
export class ListeningPerson extends Person {
  async tell(): Promise<void> {
    // A creation that was not heard has made a webhook all the same: the next one has another address.
    for (let n = 0; n < 5; n += 1) {
      const url = `https://hooks.example.com/${this.name.replaceAll(' ', '-')}/${n}`;
      const { status } = await this.send('webhooks.create', { body: { url } });
      this.cloud.tell(`${this.name} listens at ${url}: ${status}`);
      if (status === 200) return;
      await this.pause(5000);
    }
  }
}
