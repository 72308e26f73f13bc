"""Prints what the deployed functions logged, oldest first.

usage: function_logs.py [TEXT]    only log groups or lines that hold the text
"""

import sys
from datetime import datetime, timezone

from botocore.session import get_session

wanted = sys.argv[1] if len(sys.argv) > 1 else ""
logs = get_session().create_client("logs")
events = []
for page in logs.get_paginator("describe_log_groups").paginate():
    for group in page["logGroups"]:
        name = group["logGroupName"]
        for events_page in logs.get_paginator("filter_log_events").paginate(logGroupName=name):
            for event in events_page["events"]:
                if wanted in name or wanted in event["message"]:
                    events.append((event["timestamp"], name, event["message"].rstrip()))
# Events of one millisecond stay in the order in which they were written.
for timestamp, name, message in sorted(events, key=lambda event: event[0]):
    time = datetime.fromtimestamp(timestamp / 1000, timezone.utc).strftime("%H:%M:%S")
    print(time, name.removeprefix("/aws/lambda/"), message)
