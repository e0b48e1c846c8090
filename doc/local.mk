# doc/local.mk - the manual, and what a developer reads

dist_doc_DATA += %D%/HACKING %D%/NEWS
