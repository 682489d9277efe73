"""Label ten items and fetch the newest gold set, through the API alone.

Usage: label_ten_items.py ADDRESS CAMPAIGN ANNOTATOR_TOKEN LEAD_TOKEN

Tokens are made on the page that your name leads to, under *Your API token*. The answers given here are
only an example: *apply* to every other item.
"""

import sys
import uuid

import httpx


def label_items(api: httpx.Client, campaign: str, count: int) -> int:
    """Label up to `count` items of the campaign; return how many there were."""
    for done in range(count):
        reply = api.get(f"campaigns/{campaign}/next/").raise_for_status()
        if reply.status_code == httpx.codes.NO_CONTENT:
            return done
        item = reply.json()
        print(f"{item['recipient']}: {item['task']} | {item['preference']}")
        # The token makes a repeat harmless: a request that is sent again saves nothing twice.
        label = {
            "item": item["item"],
            "label": "apply" if done % 2 else "suppress",
            "token": str(uuid.uuid4()),
        }
        api.post(f"campaigns/{campaign}/labels/", json=label).raise_for_status()
    return count


def fetch_gold(api: httpx.Client) -> str:
    """Return the newest gold release as JSON lines."""
    releases = api.get("gold/").raise_for_status().json()["results"]
    newest = max(releases, key=lambda release: release["created_at"])
    return api.get(f"gold/{newest['name']}/download.jsonl").raise_for_status().text


def main(address: str, campaign: str, annotator_token: str, lead_token: str) -> None:
    """Label ten items as the annotator, then fetch gold as the lead."""
    base = f"{address.rstrip('/')}/api/v1/"
    with httpx.Client(base_url=base, headers={"Authorization": f"Token {annotator_token}"}) as annotator:
        print(f"{label_items(annotator, campaign, 10)} items labelled")
    with httpx.Client(base_url=base, headers={"Authorization": f"Token {lead_token}"}) as lead:
        gold = fetch_gold(lead)
    print(f"{len(gold.splitlines())} gold labels, the first: {gold.splitlines()[0]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
